import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { secretSettings, settings } from "../server/env.ts";
import { examples, helmVersion, keptManifests, lint, render } from "./helm.ts";

/** No cluster is at hand: what the chart renders is held against Kubernetes' schemas, the code, and the plain manifests. */
const kinds = { ConfigMap, Deployment, Ingress, Job, NetworkPolicy, PodDisruptionBudget, Service };
type Environment = { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } };
type Pod = {
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: {
    image: string;
    env: Environment[];
    command?: string[];
    startupProbe: object;
    livenessProbe: object;
    readinessProbe: object;
    securityContext: object;
    volumeMounts: object[];
  }[];
  volumes: object[];
};
type Manifest = {
  kind: keyof typeof kinds;
  metadata: { name: string; annotations?: Record<string, string> };
  data: Record<string, string>;
  spec: {
    replicas: number;
    selector: Record<string, string> & { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
    rules: { host: string }[];
  };
};
const manifestsIn = (yaml: string) =>
  parseAllDocuments(yaml).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
const named = (yaml: string, kind: string, name: string) => {
  const found = manifestsIn(yaml).find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
};
const podOf = (yaml: string, kind: string, name: string) => named(yaml, kind, name).spec.template.spec;
const containerOf = (pod: Pod) => pod.containers[0] as Pod["containers"][0];

describe.each(examples)("the example %s", (example) => {
  const kept = keptManifests(example);

  test("is valid by the schema of each kind", () => {
    const all = manifestsIn(kept);
    expect(all.length).toBeGreaterThan(5);
    for (const manifest of all) {
      const object = new kinds[manifest.kind](manifest as never);
      expect(() => object.validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow();
    }
  });

  test("sets settings of the service, no secret in clear, and values that it accepts", () => {
    const { data } = named(kept, "ConfigMap", "shop-plumbline");
    const { env } = containerOf(podOf(kept, "Deployment", "shop-plumbline-web"));
    const known = Object.keys(settings.shape);
    expect(known).toEqual(expect.arrayContaining([...Object.keys(data), ...env.map(({ name }) => name)]));
    expect(Object.keys(data).filter((name) => secretSettings.includes(name))).toEqual([]);
    const clear = Object.fromEntries(env.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
    const given = {
      ...{ ...data, ...clear, ...(data.OIDC_ISSUER && { OIDC_CLIENT_SECRET: "x" }) },
      ...{ DATABASE_URL: "postgres://db/x", ENCRYPTION_KEY: "0".repeat(64), NEXTAUTH_SECRET: "x".repeat(32) },
    };
    expect(settings.safeParse(given).error).toBeUndefined();
  });

  test("selects each kind of pod by its own labels", () => {
    const labels = (kind: string, name: string) => named(kept, kind, name).spec;
    const web = labels("Deployment", "shop-plumbline-web");
    expect(web.template.metadata.labels).toMatchObject(web.selector.matchLabels);
    expect(web.template.metadata.labels).toMatchObject(labels("Service", "shop-plumbline").selector);
    // The pods of a migration answer no requests.
    const migration = labels("Job", "shop-plumbline-migrate").template.metadata.labels;
    expect(migration).not.toMatchObject(labels("Service", "shop-plumbline").selector);
  });
});

test("a pod has what the plain manifests give it", () => {
  const plain = parse(
    readFileSync(join(import.meta.dirname, "../deploy/kubernetes/deployment.yaml"), "utf8"),
  ) as Manifest;
  const [own, theirs] = [
    podOf(keptManifests("smallest"), "Deployment", "shop-plumbline-web"),
    plain.spec.template.spec,
  ];
  expect(own.terminationGracePeriodSeconds).toBe(theirs.terminationGracePeriodSeconds);
  expect([own.securityContext, own.volumes]).toEqual([theirs.securityContext, theirs.volumes]);
  const parts = ({
    startupProbe,
    livenessProbe,
    readinessProbe,
    securityContext,
    volumeMounts,
  }: Pod["containers"][0]) => ({
    ...{ startupProbe, livenessProbe, readinessProbe, securityContext, volumeMounts },
  });
  expect(parts(containerOf(own))).toEqual(parts(containerOf(theirs)));
});

test("with workers, the processes that answer requests run no jobs; without, they do", () => {
  const jobs = (example: string, name: string) =>
    containerOf(podOf(keptManifests(example), "Deployment", name)).env.find((each) => each.name === "JOBS");
  expect(jobs("company", "shop-plumbline-web")).toEqual({ name: "JOBS", value: "off" });
  expect(jobs("company", "shop-plumbline-worker")).toBeUndefined();
  expect(jobs("smallest", "shop-plumbline-web")).toBeUndefined();
  expect(() => podOf(keptManifests("smallest"), "Deployment", "shop-plumbline-worker")).toThrow();
});

test("tables are migrated before new processes start, by a command of the image", () => {
  const job = named(keptManifests("smallest"), "Job", "shop-plumbline-migrate");
  expect(job.metadata.annotations).toMatchObject({ "helm.sh/hook": "pre-install,pre-upgrade" });
  const command = containerOf(job.spec.template.spec).command?.at(-1) ?? "";
  const bundled = readFileSync(join(import.meta.dirname, "bundle.mjs"), "utf8");
  expect(bundled).toContain(`"${command.replace(/^dist\/|\.js$/g, "")}"`);
});

test("sign-in by OpenID Connect and the ingress come from the values", () => {
  const kept = keptManifests("company");
  expect(named(kept, "ConfigMap", "shop-plumbline").data).toMatchObject({
    ...{ OIDC_ISSUER: "https://id.example.com/realms/corp", OIDC_CLIENT_ID: "plumbline" },
    ...{ OIDC_ROLES: "Admin=data-admins,Editor=data-team", PASSWORD_SIGN_IN: "off" },
  });
  expect(named(kept, "Ingress", "shop-plumbline").spec.rules[0]?.host).toBe("plumbline.example.com");
  // The delay is longer than usual, and so is the time to stop.
  expect(podOf(kept, "Deployment", "shop-plumbline-web").terminationGracePeriodSeconds).toBe(85);
});

describe.skipIf(helmVersion() === null)("helm", () => {
  test.each(examples)("renders %s as it is kept: npm run docs:helm", (example) => {
    expect(render(example)).toBe(keptManifests(example));
  });

  test.each(examples)("has nothing to say of %s", (example) => {
    expect(lint(example)).toContain("0 chart(s) failed");
  });

  test.each([
    ["a misspelt value", ["--set", "web.replica=3"], /replica/],
    ["no address", ["--set", "publicUrl="], /publicUrl is required/],
    ["an address with a path", ["--set", "publicUrl=https://example.com/plumbline"], /publicUrl/],
    ["a role that cannot be given to everyone", ["--set", "oidc.defaultRole=Admin"], /defaultRole/],
    [
      "OpenID Connect without a client",
      ["--set", "oidc.issuer=https://id.example.com"],
      /oidc.clientId is required/,
    ],
    ["no process that answers requests", ["--set", "web.replicas=0"], /replicas/],
  ])("rejects %s", (_, values, reason) => {
    expect(() => render("smallest", ...values)).toThrow(reason);
  });
});
