import "./spinner.css";

/** Turns while something runs. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
