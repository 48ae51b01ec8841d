import type { modelsShape } from "@docent/doors/admin/shapes";
import type { z } from "zod";
import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Card } from "../kit/layout/card.tsx";
import { Badge } from "../kit/text/badge.tsx";
import type { OfferedModels } from "../replies.ts";
import { useResource } from "../use-resource.ts";
import "./server.css";

const LOOK_MS = 30_000;

/** The Ollama servers: whether they answer, by which model, and what to do where they do not. */
export function ModelServersCard() {
  const servers = useResource<z.output<typeof modelsShape>>("/v1/admin/ollama", { everyMs: LOOK_MS });
  const offered = useResource<OfferedModels>("/v1/admin/models");
  const names = offered.data?.models.map(({ name }) => name) ?? [];
  return (
    <Card
      title="Models"
      description="The Ollama servers that write answers. Without one, readers get quotes from the docs."
      actions={
        <Button size="small" icon="refresh" busy={servers.isReloading} onClick={() => void servers.reload()}>
          Look again
        </Button>
      }
    >
      <Loaded of={servers} label="Asking the servers" lines={2}>
        {({ servers: each = [] }) => (
          <ul className="model-servers">
            {each.map(({ url, model, says, reason, hint }) => (
              <li key={url} className="model-server">
                <div className="row-apart">
                  <code>{url}</code>
                  <Badge tone={model === null ? "bad" : "good"}>
                    {model === null ? "Does not answer" : "Ready"}
                  </Badge>
                </div>
                <p className="small">
                  {model === null ? reason : <strong>{model}</strong>}
                  {model !== null && says && <span className="quiet"> {says}</span>}
                </p>
                {hint && <p className="small quiet">{hint}</p>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {names.length > 0 && <p className="small quiet model-names">Sites may choose: {names.join(", ")}.</p>}
    </Card>
  );
}
