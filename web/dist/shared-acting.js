import{i as o}from"./shared-hooks.js";var r=o(null),t=o(null),s=o(null),a=o(null),p="thread ";export{r as a,t as b,s as c,a as d,p as e};
