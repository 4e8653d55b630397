import { LitElement, html } from 'lit';
const name = location.pathname.split('/').pop() || 'start';
class Page extends LitElement { static properties = { d: {} };
  createRenderRoot() { return this; }
  connectedCallback() { super.connectedCallback(); fetch('/api/' + name + '.json').then(r => r.json()).then(x => { document.title = x.title; this.d = x; }); }
  render() { return this.d ? html`<nav>${this.d.links.map(l => html`<a href=${l}>${l.slice(3)}</a> `)}</nav><section><h1>${this.d.title}</h1>${this.d.text.map(p => html`<p>${p}</p>`)}</section>` : html``; } }
customElements.define('reef-page', Page);
