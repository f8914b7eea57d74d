import 'zone.js';
import './main.ts';
