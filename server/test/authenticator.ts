import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a passkey's owner does in a browser at http://localhost:3000, with a key in memory. */

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

/** A byte string in CBOR. */
function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 24
      ? [0x40 + bytes.length]
      : bytes.length < 256
        ? [0x58, bytes.length]
        : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

type Options = { origin?: string; counter?: number; isVerified?: boolean };

export function anAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  // A COSE key: EC2, ES256, P-256, x, y.
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, "base64url")),
  ]);
  const dataOf = ({ counter = 0, isVerified = true }: Options, attested?: Buffer) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    // The person was present, perhaps verified, and whether a credential follows.
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256("localhost"), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };
  const clientDataOf = (type: string, challenge: string, { origin = "http://localhost:3000" }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const answered = (response: object) => ({
    ...{ id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" },
    ...{ clientExtensionResults: {}, response },
  });
  return {
    /** What `navigator.credentials.create` answers. */
    create(challenge: string, options: Options = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), cborText("fmt"), cborText("none"), cborText("attStmt"), Buffer.from([0xa0])],
        ...[cborText("authData"), cborBytes(dataOf(options, attested))],
      ]);
      return answered({
        clientDataJSON: clientDataOf("webauthn.create", challenge, options).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
      });
    },
    /** What `navigator.credentials.get` answers. */
    get(challenge: string, options: Options = {}) {
      const data = dataOf(options);
      const clientData = clientDataOf("webauthn.get", challenge, options);
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey);
      return answered({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
  };
}
