import { h, render } from 'preact'; import { useState, useEffect } from 'preact/hooks'; import htm from 'htm';
const html = htm.bind(h); const name = location.pathname.split('/').pop() || 'start';
function App() { const [d, set] = useState(null);
  useEffect(() => { fetch('/api/' + name + '.json').then(r => r.json()).then(x => { document.title = x.title; set(x); }); }, []);
  return d ? html`<div class="shell"><nav>${d.links.map(l => html`<a href=${l}>${l.slice(3)}</a> `)}</nav><main><h1>${d.title}</h1>${d.text.map(p => html`<p>${p}</p>`)}</main><footer>Imprint</footer></div>` : html`<p class="spin">Loading…</p>`; }
render(html`<${App}/>`, document.getElementById('app'));
