/** So many names are remembered; then it begins anew, for what comes in turns is soon known again. */
const most = 50_000;

/**
 * The same function, which remembers what it says of a name: columns are compared with those of all other tables, and names
 * come again and again. For functions of the name alone.
 */
export function ofNames<Said>(say: (name: string) => Said): (name: string) => Said {
  const said = new Map<string, Said>();
  return (name) => {
    const before = said.get(name);
    if (before !== undefined) return before;
    if (said.size >= most) said.clear();
    const now = say(name);
    said.set(name, now);
    return now;
  };
}
