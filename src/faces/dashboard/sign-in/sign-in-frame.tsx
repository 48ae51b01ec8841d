import { type ReactNode, useEffect } from "react";
import { Brand } from "../kit/layout/brand.tsx";
import { ThemeMenu } from "../kit/overlay/theme-menu.tsx";
import "./sign-in.css";

interface SignInFrameProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
  /** Below the card. */
  foot?: ReactNode;
}

/** What is around everything that is shown to who is not signed in. */
export function SignInFrame({ title, text, children, foot }: SignInFrameProps) {
  useEffect(() => {
    document.title = `${title} · Docent`;
  }, [title]);
  return (
    <div className="sign-in">
      <header className="sign-in-head">
        <Brand />
        <ThemeMenu />
      </header>
      <main className="sign-in-main" id="main">
        <div className="sign-in-card">
          <h1 tabIndex={-1}>{title}</h1>
          {text && <p className="quiet">{text}</p>}
          {children}
        </div>
        {foot && <div className="sign-in-foot">{foot}</div>}
      </main>
    </div>
  );
}
