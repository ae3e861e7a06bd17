function unfinished(provider: string): string {
  return `Signing in with ${provider} did not come to its end: it was called off, or took too long. Try again.`;
}

/** What `error` in the sign-in page's address says, for people; `provider` is where they came from. */
const sentences: Record<string, (provider: string) => string> = {
  NoRole: (provider) =>
    `${provider} says who you are, but gives you no role here. Ask an Admin, or whoever looks after ${provider}.`,
  Disabled: () => "Your account is disabled. An Admin can enable it again.",
  EmailTaken: (provider) =>
    `Somebody has an account with your e-mail address already, and ${provider} does not vouch that the address is yours. Sign in with your password, or ask an Admin.`,
  NotSetUp: (provider) =>
    `Nobody has set this service up yet, and ${provider} does not say that you are an Admin.`,
  LastAdmin: (provider) =>
    `You are the last Admin here, and ${provider} would give you a lesser role. Sign in with your password, or have the role at ${provider} put right.`,
  AccessDenied: (provider) => `${provider} did not let you in.`,
  OAuthSignin: (provider) => `${provider} cannot be reached at the moment. Try again later.`,
  OAuthCallback: unfinished,
  Callback: unfinished,
  RateLimited: () => "Too many attempts. Wait a quarter of an hour, then try again.",
  CredentialsSignin: () => "The e-mail address or the password is not right.",
};

/** null without an error; what is not known is still told as a failure, never in the address' own words. */
export function signInFailure(error: string | string[] | undefined, provider: string | null): string | null {
  const code = Array.isArray(error) ? error[0] : error;
  if (!code) return null;
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return sentence?.(provider ?? "The provider") ?? "Signing in did not work. Try again in a moment.";
}
