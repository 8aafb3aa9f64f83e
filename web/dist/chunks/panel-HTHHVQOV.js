import{g as o}from"./chunk-V2VW7P6W.js";function n({kind:e}){return o("aside",{class:"panel",children:e})}export{n as default};
