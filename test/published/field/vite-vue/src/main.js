import './start.js';
import { errorReporting } from '@service/browser/vue';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App).use(errorReporting).mount('#root');
