function unfinished(provider: string): string {
  return `Signing in with ${provider} was not completed: it was canceled or took too long. Try again.`;
}

/** Messages for the sign-in page's `error` parameter; `provider` is the provider's name. */
const sentences: Record<string, (provider: string) => string> = {
  NoRole: (provider) =>
    `${provider} confirmed who you are, but gives you no role here. Ask an Admin, or whoever manages ${provider}.`,
  Disabled: () => "Your account is disabled. An Admin can enable it again.",
  EmailTaken: (provider) =>
    `An account with your email address already exists, and ${provider} does not confirm that the address is yours. Sign in with your password, or ask an Admin.`,
  NotSetUp: (provider) =>
    `This service has not been set up yet, and ${provider} does not say that you are an Admin.`,
  LastAdmin: (provider) =>
    `You are the last Admin here, and ${provider} would lower your role. Sign in with your password, or have the role at ${provider} put right.`,
  AccessDenied: (provider) => `${provider} did not sign you in.`,
  OAuthSignin: (provider) => `${provider} cannot be reached right now. Try again later.`,
  OAuthCallback: unfinished,
  Callback: unfinished,
  RateLimited: () => "Too many attempts. Wait 15 minutes, then try again.",
  SecondFactorRequired: () => "Your account needs a second factor. Sign in again on this page.",
  SignInExpired: () => "This sign-in took too long, or the password has changed. Start again.",
  CredentialsSignin: () => "The email address or password is incorrect.",
};

/** null without an error; an unknown error gets a generic message, never text from the URL. */
export function signInFailure(error: string | string[] | undefined, provider: string | null): string | null {
  const code = Array.isArray(error) ? error[0] : error;
  if (!code) return null;
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return sentence?.(provider ?? "The provider") ?? "Sign-in failed. Try again in a moment.";
}
