import { env } from "../env.ts";

/** Whether there is a mail server. Without one, news that few would miss is not queued: it could only fail. */
export const isMailConfigured = (): boolean => Boolean(env().SMTP_URL && env().MAIL_FROM);
