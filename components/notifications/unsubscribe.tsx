"use client";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";

/** Ends the daily digest without a sign-in. `isOn` is null for a link that is not valid. */
export function Unsubscribe({ token, isOn }: { token: string; isOn: boolean | null }) {
  const unsubscribe = trpc.notifications.unsubscribe.useMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const isOff = isOn === false || unsubscribe.isSuccess;
  const press = async () => {
    setFailure(null);
    try {
      await unsubscribe.mutateAsync({ token });
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="flex flex-col gap-1">
        <h1 className="text-base font-semibold">
          {isOn === null ? "This link is not valid" : isOff ? "You are unsubscribed" : "Unsubscribe?"}
        </h1>
        <p className="text-ink-2">
          {isOn === null
            ? "It may be incomplete, or older than the service's keys. You can turn the daily digest off on your profile."
            : isOff
              ? "You no longer get the daily digest. You can turn it on again on your profile."
              : "You will no longer get the daily digest by email. Other notifications stay as they are."}
        </p>
      </div>
      <FormError>{failure}</FormError>
      {isOn !== null && !isOff && (
        <Button
          variant="primary"
          className="self-start"
          pending={unsubscribe.isPending}
          onClick={() => void press()}
        >
          Unsubscribe
        </Button>
      )}
      <Link href="/profile" className="self-start text-accent underline">
        Open your profile
      </Link>
    </div>
  );
}
