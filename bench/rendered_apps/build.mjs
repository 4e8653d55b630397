import { copyFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { solidPlugin } from 'esbuild-plugin-solid';

for (const name of ['preact', 'mithril', 'lit']) {
  await esbuild.build({ entryPoints: [`${name}.js`], bundle: true, minify: true, outfile: `built/${name}.js` });
}
await esbuild.build({ entryPoints: ['solid.jsx'], bundle: true, minify: true, outfile: 'built/solid.js', plugins: [solidPlugin()] });
copyFileSync('node_modules/alpinejs/dist/cdn.min.js', 'built/alpine.js');
copyFileSync('node_modules/docsify/lib/docsify.min.js', 'built/docsify.js');
