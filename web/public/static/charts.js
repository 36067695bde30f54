// Draws <canvas data-chart='{Chart.js configuration}'> in pages that a model wrote. Where such a page
// may carry a stranger's words this is the only script that runs, so a chart is data and nothing else.
(function () {
  "use strict";
  if (!window.Chart) return;
  var colours = JSON.parse(document.currentScript.dataset.colours);

  // Charts that name no colours get ours: Chart.js has seven of its own, and an eighth slice would look like the first.
  Chart.defaults.plugins.colors.enabled = false;
  Chart.register({
    id: "colours",
    beforeUpdate: function (chart) {
      var colour = function (_, at) { return colours[at % colours.length]; };
      chart.data.datasets.forEach(function (series, at) {
        var round = /^(pie|doughnut|polarArea)$/.test(series.type || chart.config.type);
        if (series.backgroundColor === undefined) series.backgroundColor = round ? (series.data || []).map(colour) : colour(0, at);
        if (series.borderColor === undefined && !round) series.borderColor = colour(0, at);
      });
    },
  });

  function draw(canvas) {
    try {
      if (!Chart.getChart(canvas)) new Chart(canvas, JSON.parse(canvas.getAttribute("data-chart")));
    } catch (error) {
      window.parent.postMessage({ type: "bancada:error", message: "data-chart: " + String(error.message).slice(0, 300) }, "*");
    }
  }

  function drawAll() {
    document.querySelectorAll("canvas[data-chart]").forEach(draw);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", drawAll);
  else drawAll();
})();
