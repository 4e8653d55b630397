// Listens to the server's stream and lets htmx fetch what has changed. Everything works without this file, only not live.
"use strict";

(function () {
  let last = ""; // the state that the page shows

  function tell(name) {
    window.htmx.trigger(document.body, name);
  }

  function show(crawl) {
    const place = document.getElementById("crawl-state");
    const words = { running: "crawling", stopping: "stopping …", paused: "paused", elsewhere: "crawling" };
    place.className = "state " + crawl.state;
    place.querySelector(".word").textContent = words[crawl.state] || "resting";
    place.querySelector(".more").textContent = crawl.state === "elsewhere" ? "in process " + crawl.process : "";
    if (last !== crawl.state) {
      tell("state-changed");
    }
    last = crawl.state;
  }

  document.addEventListener("DOMContentLoaded", function () {
    let first = true;
    last = document.getElementById("crawl-state").classList[1];
    const stream = new EventSource("/live");
    stream.addEventListener("beat", function (event) {
      show(JSON.parse(event.data).crawl);
      if (!first) {
        tell("beat");
      }
      first = false;
    });
    window.addEventListener("pagehide", function () {
      stream.close();
    });
    document.addEventListener("keydown", function (event) {
      const typing = /^(input|select|textarea)$/i.test(event.target.tagName);
      const button = document.querySelector("[data-key=" + JSON.stringify(event.key.toLowerCase()) + "]");
      if (button && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        button.click();
      }
      if (event.key === "/" && !typing) {
        const box = document.getElementById("q");
        event.preventDefault();
        if (box) {
          box.focus();
          box.select();
        } else {
          window.location.assign("/pages");
        }
      }
    });
  });
})();
