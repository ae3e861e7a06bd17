import { expect, test } from "vitest";
import { signInFailure } from "./sign-in-failure.ts";

test("a known failure names the provider and the fix", () => {
  expect(signInFailure("NoRole", "Contoso")).toMatch(/^Contoso .* Ask an Admin/);
  expect(signInFailure(["Disabled", "x"], "Contoso")).toBe(
    "Your account is disabled. An Admin can enable it again.",
  );
});

test("the URL can't inject text into the page", () => {
  for (const error of ["Call 555-0100 to unlock", "toString", "__proto__"])
    expect(signInFailure(error, "Contoso")).toBe("Sign-in failed. Try again in a moment.");
  expect(signInFailure(undefined, "Contoso")).toBeNull();
  expect(signInFailure("", null)).toBeNull();
});
