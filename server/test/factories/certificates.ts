/**
 * A self-signed certificate for servers that tests start. It protects nothing; its key is public, and only tests that
 * expect it to be rejected, or that trust anything, use it.
 */
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUUnHhl7WG7A0MefvchEn49fNBXNYwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOdW50cnVzdGVkLnRlc3QwIBcNMjYxMTIwMDY1NjUzWhgPMjEy
NjEwMjcwNjU2NTNaMBkxFzAVBgNVBAMMDnVudHJ1c3RlZC50ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE4mPWcV3dE8ecrX6KorJEBgdAJI21VD3uIo+wgSat
HpiAouFjasxgqGBWt2RmRbC5GcGvbMHb0eHerIVhy6YYnaNTMFEwHQYDVR0OBBYE
FLMfxnYtUWCvMImYOpt/MoaIHuKUMB8GA1UdIwQYMBaAFLMfxnYtUWCvMImYOpt/
MoaIHuKUMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgf9OEaClD
2c+NgFQI0q/zQ6dFNZpowcgA9Z7EK3ylyMcCIQCfT4EKm+DzSRQ3G9xVjkTS76uq
015THrkut7TlC9KTPA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpdqaceRSSUNzr9In
PqFgNYJ7bcNp9xR2C4zLkNG1+qihRANCAATiY9ZxXd0Tx5ytfoqiskQGB0AkjbVU
Pe4ij7CBJq0emICi4WNqzGCoYFa3ZGZFsLkZwa9swdvR4d6shWHLphid
-----END PRIVATE KEY-----
`,
};
