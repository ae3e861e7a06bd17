"use client";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { DialogFooter } from "../ui/dialog.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { snippetsFor } from "./snippets.ts";

/** A newly created key, and how to use it. */
export function CreatedKey({ rawKey, onStored }: { rawKey: string; onStored: () => void }) {
  const snippets = snippetsFor(rawKey, window.location.origin);
  return (
    <>
      <div className="flex items-center gap-2 rounded-md border border-control bg-sunken py-1 pr-1 pl-3">
        <output aria-label="API key" className="min-w-0 flex-1 font-mono text-[13px] break-all select-all">
          {rawKey}
        </output>
        <CopyButton text={rawKey} variant="secondary" autoFocus />
      </div>
      <Tabs defaultValue={tabOf(snippets[0]?.name ?? "")}>
        <TabsList aria-label="Ways to use the key">
          {snippets.map(({ name }) => (
            <TabsTrigger key={name} value={tabOf(name)}>
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        {snippets.map(({ name, label, text }) => (
          <TabsContent key={name} value={tabOf(name)}>
            <CodeBlock label={label}>{text}</CodeBlock>
          </TabsContent>
        ))}
      </Tabs>
      <DialogFooter>
        <Button variant="primary" onClick={onStored}>
          I have stored the key
        </Button>
      </DialogFooter>
    </>
  );
}

/** Used in an element ID, which can't contain spaces. */
const tabOf = (name: string) => name.replaceAll(" ", "-");
