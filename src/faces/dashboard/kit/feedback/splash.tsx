import { Spinner } from "./spinner.tsx";
import "./splash.css";

/** Stands on the empty page while the first thing is found out. It shows after a moment: mostly it is never seen. */
export function Splash({ label }: { label: string }) {
  return (
    <div className="splash" role="status">
      <span className="visually-hidden">{label}</span>
      <Spinner />
    </div>
  );
}
