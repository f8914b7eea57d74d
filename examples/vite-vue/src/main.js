// Imported first, because errors before it are not reported.
import './start-sdk.js';
import { errorReporting } from '@service/browser/vue';
import { createApp } from 'vue';
import App from './app.vue';
import './style.css';

createApp(App).use(errorReporting).mount('#app');
