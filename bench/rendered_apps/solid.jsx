import { render } from 'solid-js/web'; import { createResource, For, Show } from 'solid-js';
const name = location.pathname.split('/').pop() || 'start';
function App() { const [d] = createResource(() => fetch('/api/' + name + '.json').then(r => r.json()));
  return <Show when={d()} fallback={<p>One moment</p>}><header>{d().links.map(l => <a href={l}>{l.slice(3)} </a>)}</header><article><h1>{d().title}</h1><For each={d().text}>{p => <p>{p}</p>}</For></article></Show>; }
render(() => <App/>, document.getElementById('root'));
