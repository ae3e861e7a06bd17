"use client";
import { configurationsFor, keyPlaceholder } from "../api-keys/configurations.ts";
import { CodeBlock } from "../ui/code.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";

/** Ready-made configurations, one per client. */
export function ClientTabs({ rawKey, origin }: { rawKey: string | null; origin: string | null }) {
  if (origin === null) return <Skeleton className="h-40 w-full" />;
  const configurations = configurationsFor(rawKey ?? keyPlaceholder, origin);
  return (
    <Tabs defaultValue={tabOf(configurations[0]?.name ?? "")}>
      <TabsList aria-label="Clients">
        {configurations.map(({ name }) => (
          <TabsTrigger key={name} value={tabOf(name)}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      {configurations.map(({ name, label, text, note, holdsKey }) => (
        <TabsContent key={name} value={tabOf(name)}>
          <CodeBlock label={label}>{text}</CodeBlock>
          {(note || holdsKey) && (
            <p className="pt-2 text-ink-2">
              {[note, holdsKey && "It holds the key: keep it out of repositories."].filter(Boolean).join(" ")}
            </p>
          )}
        </TabsContent>
      ))}
    </Tabs>
  );
}

/** Used in an element ID, which can't contain spaces. */
const tabOf = (name: string) => name.replaceAll(" ", "-");
