// Loaded before the conformance suite, which knows no credentials: every request carries our key.
import http from "node:http";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";

const key = process.env.BANCADA_KEY;

function withKey(headers) {
  if (Array.isArray(headers)) return [...headers, "x-api-key", key];
  if (headers && typeof headers[Symbol.iterator] === "function") return [...headers].flat().concat("x-api-key", key);
  return { ...headers, "x-api-key": key };
}

setGlobalDispatcher(
  getGlobalDispatcher().compose((dispatch) => (options, handler) =>
    dispatch({ ...options, headers: withKey(options.headers) }, handler)),
);

const request = http.request;
http.request = (...given) => {
  const made = request(...given);
  made.setHeader("x-api-key", key);
  return made;
};
