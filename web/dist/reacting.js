import{a}from"./shared-reacting.js";import"./shared-hooks.js";import"./shared-preact.js";export{a as toggle};
