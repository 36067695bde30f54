// The one page in which HTML written by a model is shown. It has no content and no origin of
// its own: its policy is a sandbox. The app hands it one document, once, by message.
(function () {
  "use strict";
  var host = window.parent;
  if (host === window) return;

  // The policy closes every way out that it knows; peer connections are not among them in every browser.
  ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"].forEach(function (name) {
    try {
      Object.defineProperty(window, name, { value: undefined, writable: false, configurable: false });
    } catch (_) {}
  });

  // Nor do all of them hold a page that leads itself away before they have opened a connection for it.
  if (window.navigation) {
    window.navigation.addEventListener("navigate", function (event) {
      if (event.cancelable && !event.hashChange) event.preventDefault();
    });
  }

  function tell(message) {
    host.postMessage(message, "*");
  }

  function watchHeight() {
    var last = 0;
    function measure() {
      var body = document.body;
      var height = Math.ceil(Math.max(body ? body.scrollHeight : 0, body ? body.getBoundingClientRect().bottom : 0));
      if (Math.abs(height - last) > 1) tell({ type: "bancada:height", height: (last = height) });
    }
    new ResizeObserver(measure).observe(document.body || document.documentElement);
    window.addEventListener("load", measure);
    measure();
  }

  function show(html) {
    document.open();
    document.write(html);
    document.close();
    // Writing a document removes listeners, so everything is attached again after it.
    window.addEventListener("error", function (event) {
      tell({ type: "bancada:error", message: String(event.message || "").slice(0, 300) });
    });
    if (document.body) watchHeight();
    else document.addEventListener("DOMContentLoaded", watchHeight);
  }

  window.addEventListener("message", function receive(event) {
    if (event.source !== host || !event.data || event.data.type !== "bancada:show") return;
    window.removeEventListener("message", receive);
    show(String(event.data.html));
  });
  tell({ type: "bancada:ready" });
})();
