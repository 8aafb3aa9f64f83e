import{a,b}from"./shared-report-count.js";export{b as countOpen,a as openOf};
