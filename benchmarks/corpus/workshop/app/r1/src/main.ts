import { mount } from 'svelte';
import App from './views/App.svelte';

mount(App, { target: document.querySelector('#app')! });
document.documentElement.dataset.ready = 'yes';
