import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeApi, describedFile } from "../doors/rest/openapi.ts";
import { packageRoot } from "../program-files.ts";

/** Writes the description of the REST API beside the built service. Called by scripts/bundle.mjs. */
writeFileSync(join(packageRoot, "dist", describedFile), JSON.stringify(describeApi()));
