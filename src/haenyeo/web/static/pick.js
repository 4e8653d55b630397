// Clicks in the stored page become fields of an example record; the server answers with all rows like it.
"use strict";

(function () {
  const PRICE = /^\W?\s?\d[\d.,]*\s?(원|円|元|[A-Z]{3}|\W)?$/;
  const DATE = /\d{4}\s?[-/.년年]\s?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\d/i;
  const UNREAD = "script, style, noscript, template, svg, iframe";

  let frame, form, list, hint;

  function text(element) {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(UNREAD).forEach(function (unread) { unread.remove(); });
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  function free(name) {
    const taken = Array.from(list.querySelectorAll("input[name^=name-]"), function (input) { return input.value; });
    let number = 2;
    let tried = name;
    while (taken.includes(tried)) {
      tried = name + " " + number;
      number += 1;
    }
    return tried;
  }

  function guess(value, element) {
    if (DATE.test(value) && value.length < 60) { return "date"; }
    if (PRICE.test(value)) { return "price"; }
    return element.closest("h1, h2, h3, h4, h5, h6, a") ? "title" : "text";
  }

  function add(name, value) {
    let row = Array.from(list.children).find(function (item) { return !item.querySelector("input[name^=value-]").value; });
    if (!row) {
      row = document.getElementById("picked-field").content.firstElementChild.cloneNode(true);
      list.append(row);
    }
    const number = 1 + Array.from(list.children).indexOf(row);
    const [called, held] = row.querySelectorAll("input");
    called.name = "name-" + number;
    held.name = "value-" + number;
    called.value = called.value || free(name);
    held.value = value;
    return called;
  }

  function renumber() {
    Array.from(list.children).forEach(function (row, place) {
      const [called, held] = row.querySelectorAll("input");
      called.name = "name-" + (place + 1);
      held.name = "value-" + (place + 1);
    });
  }

  function ask() {
    window.htmx.trigger(form, "picked");
  }

  function offer(link) {
    const address = link.getAttribute("href");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Take its address too";
    button.addEventListener("click", function () {
      add("link", address);
      hint.replaceChildren();
      ask();
    });
    hint.replaceChildren("This is a link. ", button);
  }

  function picked(event) {
    event.preventDefault();
    const element = event.target;
    const image = element.closest("img");
    const value = image ? image.getAttribute("data-src") || image.getAttribute("alt") || "" : text(element);
    if (!value) { return; }
    const box = add(image ? "image" : guess(value, element), value);
    const link = element.closest("a[href]");
    hint.replaceChildren();
    if (link) { offer(link); }
    box.focus({ preventScroll: true });
    box.select();
    ask();
  }

  function found(start, css) {
    return css === ":scope" ? start : start.querySelector(css);
  }

  function mark() {
    const page = frame.contentDocument;
    const table = document.querySelector("#picked-rows table");
    page.querySelectorAll("[data-haenyeo-mark]").forEach(function (element) {
      element.style.outline = "";
      element.removeAttribute("data-haenyeo-mark");
    });
    if (!table) { return; }
    const columns = Array.from(table.querySelectorAll("th"), function (head) { return head.dataset; });
    page.body.querySelectorAll(table.dataset.record).forEach(function (record) {
      columns.forEach(function (column) {
        const element = found(column.shared ? page.body : record, column.css);
        if (element) {
          element.style.outline = "2px solid #0a8f8f";
          element.setAttribute("data-haenyeo-mark", "");
        }
      });
    });
  }

  function listen() {
    const page = frame.contentDocument;
    if (!page || !page.body) { return; }
    page.addEventListener("click", picked, true);
    page.addEventListener("submit", function (event) { event.preventDefault(); }, true);
    page.body.style.cursor = "crosshair";
    mark();
  }

  document.addEventListener("DOMContentLoaded", function () {
    frame = document.getElementById("pick-page");
    form = document.getElementById("picked");
    list = document.getElementById("picked-fields");
    hint = document.getElementById("picked-hint");
    frame.addEventListener("load", listen);
    listen();
    list.addEventListener("click", function (event) {
      const row = event.target.closest(".drop") && event.target.closest("li");
      if (!row) { return; }
      if (list.children.length > 1) { row.remove(); } else { row.querySelectorAll("input").forEach(function (input) { input.value = ""; }); }
      renumber();
      ask();
    });
    document.body.addEventListener("htmx:afterSwap", mark);
  });
})();
