/** What was calculated, by its key, and until when it is good. Doors that load this module apart share it. */
type Kept = { until: number; value: Promise<unknown> };
const shared = globalThis as { plumblineKeptStatistics?: Map<string, Kept> };
shared.plumblineKeptStatistics ??= new Map();
const values = shared.plumblineKeptStatistics;

/** So many are kept, the oldest of which makes room: filters are typed by callers. */
const most = 1000;

/**
 * The value of a key, calculated anew once it is older than `forMs`; callers at the same time share one calculation.
 * One that failed is not kept. 0 keeps nothing.
 */
export async function kept<Value>(
  key: string,
  forMs: number,
  calculate: () => Promise<Value>,
): Promise<Value> {
  if (forMs === 0) return calculate();
  const found = values.get(key);
  if (found && found.until > Date.now()) return found.value as Promise<Value>;
  values.delete(key);
  const [oldest] = values.keys();
  if (values.size >= most && oldest !== undefined) values.delete(oldest);
  const value = calculate();
  const entry: Kept = { until: Date.now() + forMs, value };
  values.set(key, entry);
  value.catch(() => {
    if (values.get(key) === entry) values.delete(key);
  });
  return value;
}
