"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import type { WhyInput, Account as Written } from "@/server/causes/schema.ts";
import { anchorOf } from "./cause-line.tsx";

/** Has the language model write the causes as an account; nothing where there is none. */
export function Account({ of }: { of: WhyInput }) {
  const mayAsk = useMay("evaluations:run");
  const { data: model } = trpc.actors.model.useQuery(undefined, { enabled: mayAsk });
  const { mutate, data, error, isPending } = trpc.causes.account.useMutation();
  if (!mayAsk || !model || model.isBuiltIn) return null;
  return (
    <div className="flex max-w-prose flex-col items-start gap-2 pt-1">
      {data && <Sentences account={data} />}
      {error && (
        <p role="alert" className="text-ink-2">
          {asSentence(factsOf(error).message)}
        </p>
      )}
      {!data && (
        <Button size="sm" pending={isPending} onClick={() => mutate(of)}>
          Summarize with {model.name}
        </Button>
      )}
    </div>
  );
}

function Sentences({ account: { sentences, dropped, model, tokensUsed } }: { account: Written }) {
  return (
    <section aria-label="Account">
      <p>
        {sentences.map(({ text, sources }) => (
          <span key={text}>
            {text}{" "}
            {sources.map((id) => (
              <a key={id} href={`#${anchorOf(id)}`} className="text-xs text-accent hover:underline">
                [{id}]{" "}
              </a>
            ))}
          </span>
        ))}
        {sentences.length === 0 && "It wrote nothing that the causes say."}
      </p>
      <p className="pt-1 text-xs text-ink-3">
        Written by {model} from the causes above, {plural(tokensUsed, "token")}
        {dropped > 0 && `; ${plural(dropped, "sentence")} without a source left out`}.
      </p>
    </section>
  );
}
