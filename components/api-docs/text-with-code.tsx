import { Code } from "../ui/code.tsx";

/** Text of the document, in which what stands between backticks is code. */
export const TextWithCode = ({ text }: { text: string }) =>
  text
    .split("`")
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other names
    .map((part, place) => (place % 2 === 1 ? <Code key={place}>{part}</Code> : part));
