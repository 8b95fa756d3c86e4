"use strict";
(() => {
  const all = (what) => Array.from(document.querySelectorAll(what));
  const byId = (name) => document.getElementById(name);
  const find = byId("find"), said = byId("said"), foldButton = byId("fold");
  all(".tools, .keys").forEach((one) => { one.hidden = false; });

  const reveal = (one) => {
    for (let at = one; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
  };
  const go = (one) => {
    reveal(one);
    one.scrollIntoView({ block: "center" });
    one.focus({ preventScroll: true });
  };

  let at = -1;
  const stops = all(".stop");
  const step = (by) => {
    if (!stops.length) { said.value = "nothing to decide"; return; }
    at = at < 0 && by < 0 ? stops.length - 1 : (at + by + stops.length) % stops.length;
    go(stops[at]);
    said.value = `${at + 1} of ${stops.length}`;
  };

  const foldable = all("details");
  const began = foldable.map((one) => one.open);
  let unfolded = false;
  const foldAll = () => {
    unfolded = !unfolded;
    foldable.forEach((one, n) => { one.open = unfolded || began[n]; });
    foldButton.textContent = unfolded ? "Fold again" : "Unfold all";
  };
  const foldMethod = () => {
    const focused = document.activeElement && document.activeElement.closest(".method");
    const seen = focused || all(".method").find((one) => one.getBoundingClientRect().bottom > 80);
    if (seen) { seen.open = !seen.open; seen.querySelector("summary").focus(); }
  };

  let wanted = "", matches = [], match = -1;
  const search = (back) => {
    const words = find.value.toLowerCase();
    if (words !== wanted) {
      wanted = words;
      match = -1;
      matches = words
        ? all(".r > code, .card, summary, td, pre").filter((one) =>
            one.textContent.toLowerCase().includes(words))
        : [];
    }
    all(".here").forEach((one) => one.classList.remove("here"));
    if (!matches.length) { said.value = words ? "not found" : ""; return; }
    match = (match + (back ? -1 : 1) + matches.length) % matches.length;
    reveal(matches[match]);
    matches[match].classList.add("here");
    matches[match].scrollIntoView({ block: "center" });
    said.value = `${match + 1} of ${matches.length}`;
  };

  byId("next").addEventListener("click", () => step(1));
  byId("prev").addEventListener("click", () => step(-1));
  foldButton.addEventListener("click", foldAll);
  const follow = () => {
    const one = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
    if (one) { reveal(one); one.scrollIntoView({ block: "center" }); }
  };
  addEventListener("hashchange", follow);
  follow();
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") search(event.shiftKey);
    if (event.key === "Escape") { find.value = ""; search(false); find.blur(); }
  });
  const keys = {
    n: () => step(1), j: () => step(1), p: () => step(-1), k: () => step(-1),
    f: foldAll, o: foldMethod, "/": () => { find.focus(); find.select(); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === find) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
