import { type ReactNode, useId } from "react";
import "./card.css";

interface CardProps {
  title?: string;
  description?: ReactNode;
  /** At the end of the card's head. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page. With a title it is a region of its own. */
export function Card({ title, description, actions, children }: CardProps) {
  const id = useId();
  const head = (title || actions) && (
    <div className="card-head">
      <div>
        {title && (
          <h2 className="card-title" id={id}>
            {title}
          </h2>
        )}
        {description && <p className="card-description">{description}</p>}
      </div>
      {actions && <div className="card-actions">{actions}</div>}
    </div>
  );
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {head}
      {children}
    </section>
  );
}
