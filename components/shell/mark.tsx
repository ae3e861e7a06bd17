/** The product's logo: a plumb line. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" className={className ?? "size-5"} aria-hidden>
      <title>Plumbline</title>
      <path d="M5 3h10M10 3v7" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" fill="none" />
      <path d="M6.5 9.5h7L10 18z" fill="var(--accent)" />
    </svg>
  );
}
