// A real OpenID provider on a free port of this machine, for the tests: it says where it is, and ends with its standard input.
// POST /control changes who its accounts are, and how the tokens it hands out are wrong; POST /mint signs an access token.
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, decodeJwt } from "jose";
import { Provider } from "oidc-provider";

// A native client: a server on this machine may have any port.
const names = process.argv.slice(2);
const ALGORITHM = "RS256";
const newKey = async (kid) => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { key: privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: ALGORITHM, use: "sig" } };
};
const own = await newKey("own");
const foreign = await newKey("own"); // the same name, another key
const next = await newKey("next");
const state = { accounts: {}, wrong: null, claims: null };

const server = createServer();
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "bancada",
      client_secret: "a secret with / and + in it, 32 bytes",
      application_type: "native",
      redirect_uris: names.map((name) => `http://127.0.0.1/auth/oidc/${name}/callback`),
      post_logout_redirect_uris: ["http://127.0.0.1/"],
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  jwks: { keys: [own.jwk] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  scopes: ["openid", "profile", "email", "groups"],
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  findAccount: (_, sub) => (state.accounts[sub] ? { accountId: sub, claims: () => ({ sub, ...state.accounts[sub] }) } : undefined),
  async loadExistingGrant(ctx) {
    if (!ctx.oidc.session.accountId) return undefined;
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope("openid profile email groups");
    await grant.save();
    return grant;
  },
});

provider.on("server_error", (_, error) => console.error(error));
provider.use(async (ctx, following) => {
  await following();
  // Its pages want a font from elsewhere; nothing leaves this machine.
  if (typeof ctx.body === "string") ctx.body = ctx.body.replace(/@import url\([^)]*\);/, "");
  const route = ctx.oidc?.route;
  if (route === "token" && ctx.body?.id_token && state.wrong) ctx.body.id_token = await spoiled(ctx.body.id_token);
  if (route === "jwks" && state.wrong === "rotated") {
    const { d, p, q, dp, dq, qi, ...shown } = next.jwk;
    ctx.body = { keys: [shown] };
  }
});

async function spoiled(token) {
  const said = decodeJwt(token);
  const now = Math.floor(Date.now() / 1000);
  const sign = (claims, key, kid) => new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid }).sign(key);
  switch (state.wrong) {
    case "signature":
      return sign(said, foreign.key, "own");
    case "rotated":
      return sign(said, next.key, "next");
    case "expired":
      return sign({ ...said, iat: now - 4000, exp: now - 3600 }, own.key, "own");
    case "none":
      return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`;
    case "secret":
      return new SignJWT(said).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from("a secret with / and + in it, 32 bytes"));
    default:
      return sign({ ...said, ...state.claims }, own.key, "own");
  }
}

const answer = provider.callback();
server.on("request", (request, response) => {
  if (request.url !== "/control" && request.url !== "/mint") return answer(request, response);
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", async () => {
    const said = JSON.parse(text);
    if (request.url === "/mint") {
      const { foreign: strange, ...claims } = said;
      const token = new SignJWT({ iss: issuer, ...claims }).setProtectedHeader({ alg: ALGORITHM, kid: "own", typ: "at+jwt" });
      return response.end(await token.sign(strange ? foreign.key : own.key));
    }
    Object.assign(state, said);
    response.end("{}");
  });
});
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
console.log(`PROVIDER ${issuer}`);
