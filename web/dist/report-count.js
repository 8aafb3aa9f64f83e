import{a as p,b as a}from"./shared-report-count.js";export{a as countOpen,p as openOf};
