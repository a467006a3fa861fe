import { Link } from "@tanstack/react-router";
import { Mark } from "../ui/mark.tsx";

export function WordMark() {
  return (
    <Link to="/" className="flex items-center gap-2.5 px-1 text-bone">
      <Mark size={32} className="text-violet" />
      <span>
        <span className="block font-mincho text-lg leading-none font-semibold">黒魔術</span>
        <span className="block text-[10px] tracking-[0.18em] text-text-3">KUROMAJUTSU</span>
      </span>
    </Link>
  );
}
