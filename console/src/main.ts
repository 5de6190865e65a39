/** The console begins. */
// What views read of signals, they follow.
import '@preact/signals'
import { h, render } from 'preact'
import { App } from './frame/app.ts'

render(h(App, null), document.body)
