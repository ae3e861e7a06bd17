/** A cached calculation and its expiry. */
type Kept = { until: number; value: Promise<unknown> };
const values = new Map<string, Kept>();

/** The maximum number of entries; the oldest is evicted, since filters are user input. */
const most = 1000;

/**
 * A cached value by key, recalculated once it is older than `forMs`; concurrent callers share one calculation. Failures
 * are not cached. 0 turns caching off.
 */
export async function kept<Value>(
  key: string,
  forMs: number,
  calculate: () => Promise<Value>,
): Promise<Value> {
  if (forMs === 0) return calculate();
  const found = values.get(key);
  if (found && found.until > Date.now()) return found.value as Promise<Value>;
  // What has expired is removed here: values may be large.
  for (const [each, { until }] of values) if (until <= Date.now()) values.delete(each);
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
