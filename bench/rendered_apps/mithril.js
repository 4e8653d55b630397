import m from 'mithril';
const name = location.pathname.split('/').pop() || 'start'; let d = null;
m.mount(document.body, { oninit: () => m.request('/api/' + name + '.json').then(x => { document.title = x.title; d = x; }),
  view: () => d ? [m('div.top', d.links.map(l => m('a', { href: l }, l.slice(3)))), m('div.text', [m('h1', d.title), d.text.map(p => m('p', p))])] : m('div', 'loading') });
