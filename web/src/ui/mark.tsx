/** Nine points and six dots: 九六, 9696. */
const POINTS = Array.from({ length: 9 }, (_, index) => {
  const angle = (Math.PI * 2 * index) / 9 - Math.PI / 2;
  return [50 + 40 * Math.cos(angle), 50 + 40 * Math.sin(angle)] as const;
});
const STAR = Array.from({ length: 9 }, (_, index) => POINTS[(index * 4) % 9] ?? [50, 50])
  .map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`)
  .join(" ");
const DOTS = Array.from({ length: 6 }, (_, index) => {
  const angle = (Math.PI * 2 * index) / 6;
  return [50 + 10 * Math.cos(angle), 50 + 10 * Math.sin(angle)] as const;
});

export function Mark({
  size = 30,
  className = "",
}: {
  readonly size?: number;
  readonly className?: string;
}) {
  return (
    <svg
      viewBox="0 0 100 100"
      width={size}
      height={size}
      className={className}
      fill="none"
      stroke="currentColor"
      aria-hidden
    >
      <circle cx="50" cy="50" r="47" strokeWidth="2" />
      <circle cx="50" cy="50" r="40" strokeWidth="1" />
      <polygon points={STAR} strokeWidth="1.4" />
      <circle cx="50" cy="50" r="15" strokeWidth="1.2" />
      {DOTS.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="1.8" fill="currentColor" stroke="none" />
      ))}
    </svg>
  );
}
