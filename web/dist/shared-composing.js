import{i as t}from"./shared-hooks.js";var r=t(""),c=t(0);export{r as a,c as b};
