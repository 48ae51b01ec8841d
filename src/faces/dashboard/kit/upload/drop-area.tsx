import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../buttons/button.tsx";
import { classNames } from "../class-names.ts";
import { Icon } from "../icons/icon.tsx";
import type { FoundFile } from "./choose-docs.ts";
import { readChosen, readDropped } from "./dropped-files.ts";

interface DropAreaProps {
  fault: string | undefined;
  onFiles: (found: readonly FoundFile[]) => void;
  onFailed: (error: unknown) => void;
  /** What was chosen. */
  children: ReactNode;
}

/** Takes a folder, files or an archive: dropped, or chosen with the keyboard. */
export function DropArea({ fault, onFiles, onFailed, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const id = useId();

  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setIsOver(false);
    setIsReading(true);
    try {
      onFiles(await readDropped(event.dataTransfer));
    } catch (error) {
      onFailed(error);
    } finally {
      setIsReading(false);
    }
  }

  return (
    <section
      className={classNames("drop-area", isOver && "drop-area-over")}
      aria-label="Your docs"
      aria-describedby={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setIsOver(false);
      }}
      onDrop={(event) => void drop(event)}
    >
      <span className="drop-area-icon">
        <Icon name="upload" size={26} />
      </span>
      <p className="drop-area-title">{isOver ? "Let go to look at it" : "Drop your docs here"}</p>
      <p className="drop-area-text" id={id}>
        A folder of text such as Markdown and HTML, of documents such as PDF and Word, or of both; or a .zip
        or .tar.gz. You see what would be sent before anything is.
      </p>
      <Choosers isReading={isReading} onFiles={onFiles} />
      <div aria-live="polite">{children}</div>
      {fault && (
        <p className="field-error drop-area-fault" role="alert">
          <Icon name="warning" size={15} />
          {fault}
        </p>
      )}
    </section>
  );
}

/** Buttons for those who do not drop: one for a folder, one for files. */
function Choosers({ isReading, onFiles }: Pick<DropAreaProps, "onFiles"> & { isReading: boolean }) {
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const chosen = (input: HTMLInputElement) => {
    const found = readChosen(input.files ?? []);
    // The same folder can be chosen once more.
    input.value = "";
    if (found.length > 0) onFiles(found);
  };
  return (
    <>
      <div className="row drop-area-buttons">
        <Button icon="folder" busy={isReading} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
        <Button icon="archive" onClick={() => files.current?.click()}>
          Choose files or a zip
        </Button>
      </div>
      <input
        ref={(input) => {
          folder.current = input;
          // React knows no such property, and the attribute is the one that browsers have.
          input?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        multiple
        hidden
        aria-label="Choose a folder"
        data-choose="folder"
        onChange={(event) => chosen(event.currentTarget)}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Choose files or a zip"
        data-choose="files"
        onChange={(event) => chosen(event.currentTarget)}
      />
    </>
  );
}
