import type { ReleaseFacts } from "../release-facts.ts";

/** Docent with Ollama, which one command starts: `docker compose up`. */
export function composeFile({ image }: ReleaseFacts): string {
  return `# Docent and Ollama: docker load < docent-…-oci-….tar, then docker compose up --detach --wait
# The first start fetches the model that MODEL names. Where there is no network, Docent quotes the docs until a model is there.
name: docent

services:
  docent:
    image: ${image}
    environment:
      OLLAMA_HOST: http://ollama:11434
      # How readers reach it: links to the reader site begin with it.
      DOCENT_PUBLIC_URL: \${DOCENT_PUBLIC_URL:-http://localhost:4747}
    ports: ["127.0.0.1:4747:4747"]
    volumes: ["docent:/data"]
    healthcheck:
      test: ["CMD", "/usr/bin/docent", "health"]
      interval: 10s
      timeout: 6s
      start_period: 30s
    read_only: true
    tmpfs: ["/tmp"]
    cap_drop: ["ALL"]
    security_opt: ["no-new-privileges:true"]
    stop_grace_period: 45s
    restart: unless-stopped

  ollama:
    image: ollama/ollama
    volumes: ["ollama:/root/.ollama"]
    healthcheck:
      test: ["CMD", "ollama", "list"]
      interval: 10s
      timeout: 6s
      start_period: 30s
    restart: unless-stopped

  model:
    image: ollama/ollama
    command: ["pull", "\${MODEL:-llama3.2}"]
    environment: { OLLAMA_HOST: "http://ollama:11434" }
    depends_on:
      ollama: { condition: service_healthy }
    restart: "no"

volumes: { docent: {}, ollama: {} }
`;
}

/** One server with its volume, for Kubernetes. */
export function kubernetesManifests({ image, version }: ReleaseFacts): string {
  const labels = `{ app.kubernetes.io/name: docent }`;
  return `# One server, with everything on its volume: kubectl apply -f kubernetes.yaml
# Several servers share PostgreSQL: see "Compose and Kubernetes" in the documentation.
apiVersion: v1
kind: Namespace
metadata: { name: docent }
---
apiVersion: v1
kind: Service
metadata: { name: docent, namespace: docent, labels: ${labels} }
spec:
  selector: ${labels}
  ports: [{ name: http, port: 80, targetPort: http }]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: docent, namespace: docent, labels: { app.kubernetes.io/name: docent, app.kubernetes.io/version: "${version}" } }
spec:
  serviceName: docent
  # One alone: SQLite has one server.
  replicas: 1
  selector: { matchLabels: ${labels} }
  template:
    metadata: { labels: ${labels} }
    spec:
      enableServiceLinks: false
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 45
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: docent
          image: ${image}
          ports: [{ name: http, containerPort: 4747 }]
          env:
            # Where Ollama is, and how readers reach this server.
            - { name: OLLAMA_HOST, value: "http://ollama:11434" }
            - { name: DOCENT_PUBLIC_URL, value: "https://docs.example.com" }
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
          resources:
            requests: { cpu: 250m, memory: 512Mi }
            limits: { memory: 4Gi }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: ["ALL"] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - { name: tmp, emptyDir: {} }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 10Gi } }
`;
}
