import "./brand.css";

/** Docent's sign and name. */
export function Brand({ isNameHidden = false }: { isNameHidden?: boolean }) {
  return (
    <span className="brand">
      <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
        <rect className="brand-ground" width="26" height="26" rx="7" />
        <path className="brand-page" d="M7 7.5h12v9.5h-6.5l-3.5 3v-3h-2z" />
        <path className="brand-line" d="M10 10.7h6M10 13.7h4" />
      </svg>
      <span className={isNameHidden ? "visually-hidden" : undefined}>Docent</span>
    </span>
  );
}
