import{a}from"./shared-jsxRuntime.js";import{i as d,j as l}from"./shared-preact.js";function m({onClose:n}){let e=l(null);return d(()=>{let o=e.current;return o?.showModal(),()=>o?.close()},[]),a("dialog",{ref:e,class:"opening","aria-label":"Loading",onClose:()=>{e.current&&n()},onMouseDown:n})}function k(n,e){if(!n.includes("#/"))return[];let o=e.replace(/[.*+?^${}()|[\]\\]/g,"\\$&"),i=new RegExp(`(?:${o}|\\]\\()#/([\\w.~%-]+)/([\\w.~%-]+)`,"g"),r=new Map;for(let[,t="",f=""]of n.matchAll(i)){let s=`${t}/${f.replace(/\.+$/,"")}`,c=r.size<3&&g(s);c&&r.set(s,c)}return[...r.values()]}function g(n){try{let[e="",o=""]=n.split("/").map(decodeURIComponent);return{room:e,id:o}}catch{return}}var u=4e3;function L(n,e,o){let r=(n.length>u?`${n.slice(0,u).replace(/[\ud800-\udbff]$/,"")}…`:n).split(`
`).map(t=>`> ${t}`).join(`
`);return[o.trim(),`${r}
${e}`].filter(Boolean).join(`

`)}export{m as a,k as b,L as c};
