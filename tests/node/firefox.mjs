// Drives Debian's Firefox over WebDriver BiDi for `firefox.py`: one JSON request a line, one answer a line.
// Nothing is set that keeps a browser from fetching, connecting or resolving ahead of time.
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const [program, profile] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  headless: true,
  userDataDir: profile,
  extraPrefsFirefox: {
    // Puppeteer's own profile is made for tests; what it switches off for them is on again here.
    "network.dns.disablePrefetch": false,
    "network.dns.disablePrefetchFromHTTPS": false,
    "network.prefetch-next": true,
    "network.http.speculative-parallel-limit": 20,
    "network.predictor.enabled": true,
    "browser.urlbar.speculativeConnect.enabled": true,
    "media.peerconnection.enabled": true,
    "network.trr.mode": 5, // the one resolver is ours
    "network.dns.localDomains": "",
    "network.manage-offline-status": false,
    "browser.send_pings": true,
    "dom.security.https_only_mode": false,
    "dom.security.https_first": false,
  },
});
let page = await browser.newPage();

const acts = {
  async go({ url }) {
    await page.goto(url, { waitUntil: "load", timeout: 20000 }).catch(() => 0);
  },
  async run({ script }) {
    return await page.evaluate(script);
  },
  async wait({ selector }) {
    await page.waitForSelector(selector, { timeout: 30000 });
  },
  async click({ selector }) {
    await (await page.waitForSelector(selector, { timeout: 30000, visible: true })).click();
  },
  async type({ selector, text }) {
    await page.waitForSelector(selector, { timeout: 30000 });
    await page.type(selector, text);
  },
  async say({ text }) {
    await page.waitForSelector(".composer textarea", { timeout: 30000 });
    await page.type(".composer textarea", text);
    await page.keyboard.press("Enter");
  },
  // A real click on every `#hit`: in the page, or in its last frame.
  async hit({ frame }) {
    let within = page.mainFrame();
    if (frame) {
      const holders = await page.$$("iframe.frame");
      const holder = holders.at(-1);
      await holder.evaluate((one) => one.scrollIntoView({ block: "center" }));
      within = await holder.contentFrame();
    }
    const found = await within.$$("#hit");
    for (const one of found) await one.click().catch(() => 0);
    return found.length;
  },
  async sleep({ ms }) {
    await new Promise((done) => setTimeout(done, ms));
  },
  async renew() {
    const old = page;
    page = await browser.newPage();
    await old.close().catch(() => 0);
  },
  async version() {
    return await browser.version();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { act, ...given } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ value: (await acts[act](given)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error) }));
  }
}
await browser.close();
