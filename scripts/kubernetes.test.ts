import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { settings } from "../server/env.ts";
import { serveProbe } from "../server/process/probes.ts";

/** No cluster is at hand, so these check the manifests against Kubernetes' own schemas and against the code. */
const folder = join(import.meta.dirname, "../deploy/kubernetes");
const read = (file: string) => parse(readFileSync(join(folder, file), "utf8"));
const { resources } = read("kustomization.yaml") as { resources: string[] };
const kinds = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service };
type Kind = keyof typeof kinds;
type Manifest = { kind: Kind; metadata: { name: string }; [field: string]: unknown };
const manifests = new Map(resources.map((file) => [file, read(file) as Manifest]));

const deployment = manifests.get("deployment.yaml") as unknown as {
  spec: {
    selector: { matchLabels: object };
    template: {
      metadata: { labels: object };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: {
          image: string;
          ports: { name: string; containerPort: number }[];
          env: {
            name: string;
            valueFrom: { secretKeyRef: { name: string; key: string; optional?: boolean } };
          }[];
          startupProbe: { httpGet: { path: string } };
          livenessProbe: { httpGet: { path: string } };
          readinessProbe: { httpGet: { path: string } };
          securityContext: object;
          volumeMounts: { name: string; mountPath: string }[];
        }[];
        volumes: { name: string; emptyDir: object }[];
      };
    };
  };
};
const pod = deployment.spec.template.spec;
const [container] = pod.containers as [(typeof pod.containers)[0]];
const configured = (manifests.get("settings.yaml") as unknown as { data: Record<string, string> }).data;

test("every file is listed, and valid by the schema of its kind", () => {
  const files = readdirSync(folder).filter((name) => name !== "kustomization.yaml");
  expect(resources.toSorted()).toEqual(files.toSorted());
  for (const [file, manifest] of manifests) {
    const object = new kinds[manifest.kind](manifest as never);
    expect(() => object.validate(), file).not.toThrow();
  }
  const broken = structuredClone(manifests.get("deployment.yaml")) as never as {
    spec: { replicas: unknown };
  };
  broken.spec.replicas = "two";
  expect(() => new Deployment(broken as never).validate()).toThrow();
});

test("settings are settings of the service, and secrets come by reference alone", () => {
  const names = Object.keys(settings.shape);
  const secret = container.env.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(configured), ...secret]));
  for (const { name, valueFrom } of container.env)
    expect(valueFrom.secretKeyRef).toMatchObject({ name: "plumbline", key: name });
  const required = container.env.filter(({ valueFrom }) => !valueFrom.secretKeyRef.optional);
  expect(required.map(({ name }) => name)).toEqual(["DATABASE_URL", "ENCRYPTION_KEY", "NEXTAUTH_SECRET"]);
  const commented = [...readFileSync(join(folder, "settings.yaml"), "utf8").matchAll(/^ {2}# ([A-Z_]+):/gm)];
  expect(commented.length).toBeGreaterThan(2);
  for (const [, name = ""] of commented) expect(names).toContain(name);
  const given = {
    ...configured,
    ...{ DATABASE_URL: "postgres://db/x", ENCRYPTION_KEY: "0".repeat(64), NEXTAUTH_SECRET: "x".repeat(32) },
    OIDC_CLIENT_SECRET: undefined,
  };
  expect(settings.safeParse(given).error).toBeUndefined();
});

test("probes are paths that the service answers, and its port is the image's", () => {
  const dockerfile = readFileSync(join(folder, "../../Dockerfile"), "utf8");
  expect(container.ports).toEqual([{ name: "http", containerPort: 3000 }]);
  expect(dockerfile).toContain("PORT=3000");
  expect(dockerfile).toContain("DATA_DIR=/data");
  expect(container.startupProbe.httpGet.path).toBe("/health");
  expect(container.livenessProbe.httpGet.path).toBe("/health");
  expect(container.readinessProbe.httpGet.path).toBe("/ready");
  expect(serveProbe).toBeInstanceOf(Function);
});

test("the process has no rights, and nothing to write to but its own folders", () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
    "/data",
    "/tmp",
    "/app/.next/cache",
  ]);
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
});

test("it has time to stop: the delay, a minute for what is in progress, and some room", () => {
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(configured.STOP_DELAY_S) + 60 + 10);
});

test("the service, the budget, and the policy mean these pods", () => {
  const { labels } = deployment.spec.template.metadata;
  const selectors = ["service.yaml", "disruption-budget.yaml", "network-policy.yaml"].map((file) => {
    const spec = (manifests.get(file) as unknown as { spec: Record<string, Record<string, object>> }).spec;
    return spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector;
  });
  expect([deployment.spec.selector.matchLabels, ...selectors]).toEqual([labels, labels, labels, labels]);
});
